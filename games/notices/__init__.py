"""What people are notified of: facts, the topics that they become, and the outbox that holds them."""
