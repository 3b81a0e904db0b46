namespace CamCube.Messaging.Streams.Wire;

/// <summary>What the first data frame says of a stream beside its number: label 8, key route 8, flags 1, least credit
/// 1.</summary>
/// <param name="Label">The service's.</param>
/// <param name="Route">Of a stream to a key: its route bits.</param>
/// <param name="Flags">Bit 0: to a key; bit 1: pinned; bits 2 to 4: priority.</param>
/// <param name="LeastChunks">Chunks that are set apart for it in each direction.</param>
internal readonly record struct StreamPurpose(ulong Label, ulong Route, byte Flags, byte LeastChunks)
{
    /// <summary>Bytes on the wire.</summary>
    public const int Length = 18;

    private const int KeyBit = 1,
        PinBit = 2,
        PriorityShift = 2,
        PriorityMask = 7,
        MostFlags = 0x1F;

    public bool IsToKey => (Flags & KeyBit) != 0;

    public bool IsPinned => (Flags & PinBit) != 0;

    public int Priority => (Flags >> PriorityShift) & PriorityMask;

    /// <summary>Only what a sender of this version says.</summary>
    public bool IsValid => Flags <= MostFlags && (IsToKey || (Route == 0 && !IsPinned));

    public static byte FlagsOf(bool isToKey, bool isPinned, int priority) =>
        (byte)((isToKey ? KeyBit : 0) | (isToKey && isPinned ? PinBit : 0) | (priority << PriorityShift));
}
