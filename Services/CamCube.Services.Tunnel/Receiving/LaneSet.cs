using CamCube.Services.Tunnel.Wire;

namespace CamCube.Services.Tunnel.Receiving;

/// <summary>The lanes from one server. Loop only.</summary>
internal sealed class LaneSet
{
    /// <summary>Its run; another one begins anew.</summary>
    public ushort Run { get; set; }

    /// <summary>The lanes; null: nothing came on it lately.</summary>
    public Lane?[] Lanes { get; } = new Lane?[TunnelHeader.Lanes];
}
