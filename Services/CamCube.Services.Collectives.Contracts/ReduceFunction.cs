namespace CamCube.Services.Collectives;

/// <summary>
/// How elements of a service's own become one (a <see cref="ReduceOperator"/> of its own). All members give one of the
/// same name and element size, or the operation ends with <see cref="CollectiveStatus.Mismatch"/>. It runs off the
/// loop, on the account of the service that gives it (<see cref="IServerWork"/>): that service is named where it keeps
/// a thread, and what it throws is that service's fault.
/// </summary>
/// <param name="Server">The server, as the service that gives the function has it.</param>
/// <param name="Name">The name, 1 to <see cref="MostName"/> characters, the same at all members.</param>
/// <param name="ElementBytes">Bytes of an element, 1 to <see cref="MostElementBytes"/>.</param>
/// <param name="Combine">The function.</param>
public sealed record ReduceFunction(IServer Server, string Name, int ElementBytes, ReduceElements Combine)
{
    /// <summary>Most characters of a name.</summary>
    public const int MostName = 100;

    /// <summary>Most bytes of an element: one is in memory whole, at both ends of each edge.</summary>
    public const int MostElementBytes = 4_096;

    /// <summary>The most that it may take for up to 16 KiB of each child, waiting for a thread included, up to 1 min.
    /// Default 1 s; later, and the operation ends with <see cref="CollectiveStatus.FunctionLate"/> at all
    /// members.</summary>
    public TimeSpan Deadline { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>How long it takes for an element of a child in virtual time. Default zero. Not looked at in real
    /// time.</summary>
    public TimeSpan Cost { get; init; }
}
