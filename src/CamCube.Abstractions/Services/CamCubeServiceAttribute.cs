namespace CamCube;

/// <summary>What the host reads from a service's assembly without running it.</summary>
/// <param name="id">Two-byte wire id, unique in the cluster; 0x0000–0x00FF are the runtime's own.</param>
/// <param name="name">Name in configuration (<c>CamCube:Services:{name}</c>), status, metrics and logs: lower case,
/// digits, hyphens.</param>
[AttributeUsage(AttributeTargets.Class, Inherited = false)]
public sealed class CamCubeServiceAttribute(ushort id, string name) : Attribute
{
    /// <summary>Wire id.</summary>
    public ushort Id { get; } = id;

    /// <summary>Configured name.</summary>
    public string Name { get; } = name;

    /// <summary>
    /// The header struct (unmanaged, at most 64 bytes). The runtime drops shorter packets as Malformed before the
    /// callback, so services contain no length checks, and gives rented packets a header of this size.
    /// </summary>
    public Type? Header { get; set; }

    /// <summary>
    /// Longest time in milliseconds for which <see cref="ICamCubeService.OnReturningAsync"/> may keep this server from
    /// taking its keys, up to an hour. Default 0: <c>CamCube:Liveness:ReturnTimeout</c>. The server takes its keys, for
    /// all services, when all have ended or used up their own time; longer: the stand-ins serve for longer, also for
    /// the other services.
    /// </summary>
    public int ReturnTimeoutMilliseconds { get; set; }

    /// <summary>
    /// Bytes of the service's packets that wait at a server until it has its keys; each packet counts as 1,024 at
    /// least. More are dropped as <see cref="DropReason.AwaitKeysFull"/>. 0 to 64 MiB; default 256 KiB. Larger: fewer
    /// questions are asked again after a server's return; a burst uses up more of its packet budget.
    /// </summary>
    public int AwaitKeysBytes { get; set; } = 256 * 1_024;

    /// <summary>What to do when a callback throws. Default: restart.</summary>
    public FaultPolicy OnFault { get; set; } = FaultPolicy.Restart;
}
