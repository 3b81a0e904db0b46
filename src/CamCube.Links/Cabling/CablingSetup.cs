namespace CamCube.Cabling;

/// <summary>Who a server is and what its cabling protocol works with.</summary>
public sealed record CablingSetup
{
    /// <summary>Name of the cube.</summary>
    public required string ClusterId { get; init; }

    /// <summary>Its shape.</summary>
    public required TorusShape Shape { get; init; }

    /// <summary>This server, for life.</summary>
    public required ServerId Server { get; init; }

    /// <summary>Random, another one at each start.</summary>
    public required ulong BootNonce { get; init; }

    /// <summary>The place by the settings; null: the cabling tells.</summary>
    public Coordinate? Coordinate { get; init; }

    /// <summary>The stored map, if there is one.</summary>
    public CablingMap? Map { get; init; }

    /// <summary>Where a map is stored before it is used. Needed without <see cref="Coordinate"/>.</summary>
    public ICablingStore? Store { get; init; }

    /// <summary>Spreads hellos in time. Loop only.</summary>
    public required Random Jitter { get; init; }

    /// <summary>The clock of calendars, in milliseconds since 1970: for the epoch of maps and to tell which server
    /// started later.</summary>
    public required Func<long> UnixMillis { get; init; }

    /// <summary>Takes lines for people. Loop only.</summary>
    public Action<LinkNews> News { get; init; } = _ => { };

    /// <summary>Periods and limits.</summary>
    public CablingOptions Options { get; init; } = new();
}
