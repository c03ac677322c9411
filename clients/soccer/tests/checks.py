"""What the tests check with."""


def expect(condition, what=""):
    if not condition:
        raise AssertionError(what)


def raises(kind, function, *words):
    try:
        function()
    except kind as error:
        expect(all(word in str(error) for word in words), str(error))
        return
    raise AssertionError(f"expected {kind.__name__}")
