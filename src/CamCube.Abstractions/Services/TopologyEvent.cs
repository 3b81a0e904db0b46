namespace CamCube;

/// <summary>Kinds of <see cref="TopologyChange"/>.</summary>
public enum TopologyEvent : byte
{
    /// <summary>One of this server's own links went down.</summary>
    LinkDown = 0,

    /// <summary>One of this server's own links came up.</summary>
    LinkUp = 1,

    /// <summary>A server lost its keys: unreachable, or restarted, or cut off from the majority. Its keys now have the
    /// roots that <see cref="ITopologyView.RootOf"/> says.</summary>
    ServerLost = 2,

    /// <summary>A server has its keys again.</summary>
    ServerReturned = 3,

    /// <summary>This very server gave up its keys: it no longer sees the majority of the cube. Others may be their
    /// roots now.</summary>
    KeysSuspended = 4,

    /// <summary>This very server has its keys, after a start or again. A server of a commissioned cube has them before
    /// its services start: they see <see cref="ITopologyView.HasKeys"/>, not this event.</summary>
    KeysTaken = 5,

    /// <summary>A server that had no keys cannot be reached any more. Whoever waits for it waits in vain; no key has
    /// another root by that.</summary>
    ServerUnreachable = 6,
}
