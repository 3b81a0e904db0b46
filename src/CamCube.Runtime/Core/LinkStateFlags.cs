namespace CamCube.Runtime.Core;

/// <summary>Flags of a link-state packet.</summary>
[Flags]
internal enum LinkStateFlags : byte
{
    None = 0,

    /// <summary>The sender hears the receiver now.</summary>
    Hears = 1,

    /// <summary>The body is a batch of entries (perhaps none), to be acknowledged.</summary>
    Batch = 2,

    /// <summary>After this batch the receiver has all that the sender knows.</summary>
    Complete = 4,

    /// <summary>
    /// In the sender's view, servers without an entry are as planned. Counts only together with <see cref="Complete"/>.
    /// </summary>
    Commissioned = 8,

    /// <summary>For the sender the link is not up: it does not have all that the receiver knows.</summary>
    Unsynchronised = 16,

    /// <summary>
    /// The sender, who sees the majority, had lost the receiver: whoever stands in for it has taken its keys.
    /// </summary>
    Lost = 32,

    /// <summary>The sender stood still and wants to know whether it is still heard: answered at once.</summary>
    Doubts = 64,
}
