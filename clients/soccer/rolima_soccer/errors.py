"""What can go wrong with a match."""


class MatchError(Exception):
    """Something is wrong with the match; the kinds below say what."""


class Refused(MatchError):
    """The simulator, or this package on its behalf, refused what was asked; the text says why."""


class MatchEnded(MatchError):
    """The simulator has ended the run."""


class SceneChanged(MatchError):
    """Somebody has loaded another scene: its robots are others. Connect again to play on."""


class ConnectionLost(MatchError, ConnectionError):
    """The simulator cannot be reached, or the connection broke. Connect again to play on."""
