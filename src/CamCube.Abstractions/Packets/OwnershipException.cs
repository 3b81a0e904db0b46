namespace CamCube;

/// <summary>
/// A packet was used by somebody who does not own it: a programming error of the service (or the runtime) that is never
/// swallowed. The message says who has the packet, and what to do instead.
/// </summary>
public sealed class OwnershipException : InvalidOperationException
{
    internal OwnershipException(string message)
        : base(message) { }

    internal static void Throw(Packet packet, uint expected, uint next) => throw For(packet, expected, next);

    internal static OwnershipException For(Packet packet, uint expected, uint next)
    {
        string remedy = packet.State switch
        {
            PacketState.Free => "It was released before: drop the reference when you release or send.",
            PacketState.Queued or PacketState.Wire or PacketState.Runtime =>
                "It was sent before: rent another, or share it before sending.",
            PacketState.Callback =>
                "It is lent for the callback: Take it first and return Verdict.Taken, or return Verdict.Hold.",
            PacketState.Held => "A service holds it: return Verdict.Taken after Take, Send or Release.",
            _ => "It belongs to the runtime.",
        };
        return new OwnershipException(
            $"Packet {packet.IdWord:x} is {OwnerWords.Describe(packet.OwnerWord)}, "
                + $"but {OwnerWords.Describe(expected)} was expected "
                + $"(to become {OwnerWords.Describe(next)}). {remedy}{HistoryOf(packet)}"
        );
    }

    internal static void ThrowAccess(Packet packet) =>
        throw new OwnershipException(
            $"Packet {packet.IdWord:x} was touched through a stale reference: "
                + $"it is {OwnerWords.Describe(packet.OwnerWord)}. "
                + $"Keep no reference after Send, Release or a verdict.{HistoryOf(packet)}"
        );

    private static string HistoryOf(Packet packet)
    {
#if DEBUG
        return " Owners: " + packet.History;
#else
        return packet.IdWord == 0 ? "" : " A Debug build remembers the last owners.";
#endif
    }
}
