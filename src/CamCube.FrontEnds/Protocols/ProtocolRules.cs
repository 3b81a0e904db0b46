namespace CamCube.FrontEnds.Protocols;

/// <summary>What a protocol may not do, so that a mistake in it costs its client and nobody else. Pure.</summary>
internal static class ProtocolRules
{
    // Steps from state to state that need no input and write nothing.
    private const int MostIdleSteps = 64;

    /// <exception cref="ProtocolException">It says that it has consumed what it was not given.</exception>
    public static void CheckConsumed(int consumed, int given)
    {
        if ((uint)consumed > (uint)given)
        {
            throw new ProtocolException($"It says that it has consumed {consumed} of {given} bytes.");
        }
    }

    /// <exception cref="ProtocolException">It goes on and on without doing anything.</exception>
    public static void CheckIdle(int steps)
    {
        if (steps > MostIdleSteps)
        {
            throw new ProtocolException("It neither consumes nor writes anything, and wants to go on.");
        }
    }

    /// <exception cref="ProtocolException">It waits for what cannot come, or has too much kept for it.</exception>
    public static void CheckWait(ProtocolStep step, int unread, int maxUnread, IConnectionProtocol protocol)
    {
        if (step == ProtocolStep.NeedsInput && unread > maxUnread)
        {
            throw new ProtocolException($"It has left {unread} bytes unconsumed and wants more.");
        }

        if (step == ProtocolStep.NeedsRoom && protocol.InWork == 0)
        {
            throw new ProtocolException("It waits for a question to end, and none is in work.");
        }
    }
}
