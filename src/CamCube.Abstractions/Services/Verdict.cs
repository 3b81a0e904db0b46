namespace CamCube;

/// <summary>
/// What is to happen to a packet, and thereby who owns it from then on. Four bytes, returned in a register. The default
/// is Forward. No verdict keeps a packet by accident.
/// </summary>
public readonly record struct Verdict
{
    private readonly VerdictKind _kind;
    private readonly byte _links;
    private readonly ushort _reason;

    private Verdict(VerdictKind kind, byte links = 0, DropReason reason = DropReason.None) =>
        (_kind, _links, _reason) = (kind, links, (ushort)reason);

    /// <summary>On by base routing, towards <see cref="Packet.Destination"/>. At the destination itself it is a counted
    /// bug of the service, unless the service changed the destination or the packet's service id. The runtime owns the
    /// packet.</summary>
    public static Verdict Forward => default;

    /// <summary>Done with: the runtime takes the packet back.</summary>
    public static Verdict Consume => new(VerdictKind.Consume);

    /// <summary>The service keeps the packet after this callback and owes a Send or a Release.</summary>
    public static Verdict Hold => new(VerdictKind.Hold);

    /// <summary>The service called <see cref="IServerPackets.Take"/> during the callback; the packet is its own,
    /// or gone already.</summary>
    public static Verdict Taken => new(VerdictKind.Taken);

    /// <summary>What kind of verdict.</summary>
    public VerdictKind Kind => _kind;

    /// <summary>The links of <see cref="VerdictKind.Via"/> and <see cref="VerdictKind.ViaAll"/>.</summary>
    public LinkSet Links => new(_links);

    /// <summary>Why it is dropped.</summary>
    public DropReason Reason => (DropReason)_reason;

    /// <summary>Out on the first of these links that is free: the packet waits on all of them at once. Links that are
    /// down are left out; with none left it is dropped as LinkDown. The runtime owns the packet.</summary>
    public static Verdict Via(LinkSet anyOf) => new(VerdictKind.Via, anyOf.Bits);

    /// <summary>A copy to each of these links; <see cref="Link.Local"/> is a copy for this server's own instance. The
    /// bodies are shared. An empty set consumes. The runtime owns the packet.</summary>
    public static Verdict ViaAll(LinkSet allOf) => new(VerdictKind.ViaAll, allOf.Bits);

    /// <summary>Done with, and counted under the reason. The runtime takes the packet back.</summary>
    public static Verdict Drop(DropReason reason) => new(VerdictKind.Drop, reason: reason);
}
