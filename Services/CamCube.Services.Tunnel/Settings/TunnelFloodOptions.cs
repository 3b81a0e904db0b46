using System.ComponentModel.DataAnnotations;

namespace CamCube.Services.Tunnel;

/// <summary>Settings of the tunnel's broadcasts and multicasts (<c>CamCube:Services:tunnel-flood</c>).</summary>
public sealed class TunnelFloodOptions
{
    /// <summary>How many broadcasts and multicasts a machine may send into the cube in a second, 0 to 100,000. Default
    /// 1,000. More are dropped, at the sender, and those that come all the same at every server. Each goes to every
    /// server: more let one machine keep all others busy.</summary>
    [Range(0, 100_000)]
    public int PerSecond { get; set; } = 1_000;
}
