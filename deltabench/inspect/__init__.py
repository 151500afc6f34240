"""What a user's own checkpoint database holds, and what it would hold otherwise; read only."""
