namespace CamCube.Cabling.Tests;

/// <summary>A cable between two ports of a <see cref="CablingNet"/>.</summary>
internal sealed class NetCable
{
    public required NetServer A { get; init; }

    public required int PortA { get; init; }

    public required NetServer B { get; init; }

    public required int PortB { get; init; }

    public bool CarriesAToB { get; set; } = true;

    public bool CarriesBToA { get; set; } = true;

    public double Loss { get; set; }

    public long DelayNanos { get; set; } = 1_000;

    /// <summary>The other end as seen from one.</summary>
    public (NetServer Server, int Port) From(NetServer server, int port) =>
        server == A && port == PortA ? (B, PortB) : (A, PortA);

    public bool Carries(NetServer server, int port) => server == A && port == PortA ? CarriesAToB : CarriesBToA;
}
