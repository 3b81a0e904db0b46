namespace CamCube;

/// <summary>
/// Where a packet is to go: a key, whose live root takes it whoever that is, or a server, where it is dropped if the
/// server cannot be reached (HPDC §3.1). Of a key only the 64 route bits travel; a service that needs all 160 puts the
/// key into its own header.
/// </summary>
public readonly record struct Destination
{
    private Destination(ulong route, bool isKey) => (Route, IsKey) = (route, isKey);

    /// <summary>The 64 bits that route; for a server its coordinate in the upper 48.</summary>
    public ulong Route { get; }

    /// <summary>True: to a key's root. False: to one server.</summary>
    public bool IsKey { get; }

    /// <summary>The server, when <see cref="IsKey"/> is false.</summary>
    public Coordinate Server => Coordinate.Unpack(Route);

    /// <summary>To the live root of a key.</summary>
    public static implicit operator Destination(Key key) => new(key.Route, true);

    /// <summary>To one server.</summary>
    public static implicit operator Destination(Coordinate server) => new(server.Packed, false);

    /// <summary>The home server of the key, or the server itself.</summary>
    public Coordinate HomeIn(TorusShape shape) => IsKey ? Key.HomeOf(Route, shape) : Server;

    /// <summary>What a packet carries of a destination.</summary>
    /// <param name="route">A key's <see cref="Key.Route"/>, or a server's <see cref="Coordinate.Packed"/>.</param>
    /// <param name="isKey">Which of the two.</param>
    public static Destination FromWire(ulong route, bool isKey) => new(route, isKey);
}
