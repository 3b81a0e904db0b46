namespace CamCube;

/// <summary>What the host reads from a service's assembly without running it.</summary>
/// <param name="id">Two-byte wire id, unique in the cluster; 0x0000–0x00FF are the runtime's own.</param>
/// <param name="name">Name in configuration (<c>CamCube:Services:{name}</c>), status, metrics and logs: lower case, digits, hyphens.</param>
[AttributeUsage(AttributeTargets.Class, Inherited = false)]
public sealed class CamCubeServiceAttribute(ushort id, string name) : Attribute
{
    /// <summary>Wire id.</summary>
    public ushort Id { get; } = id;

    /// <summary>Configured name.</summary>
    public string Name { get; } = name;

    /// <summary>
    /// The header struct (unmanaged, at most 64 bytes). The runtime drops shorter packets as Malformed before the callback, so
    /// services contain no length checks, and gives rented packets a header of this size.
    /// </summary>
    public Type? Header { get; set; }

    /// <summary>What to do when a callback throws. Default: restart.</summary>
    public FaultPolicy OnFault { get; set; } = FaultPolicy.Restart;
}
