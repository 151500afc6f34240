"""Recorded chats as sessions: read, replayed through the real agent, and made shareable."""
