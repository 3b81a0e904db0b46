namespace CamCube.Runtime.Engine;

/// <summary>One source's place in the turns of its service. When the instance ends it is asked no more, and what it
/// then says is ignored.</summary>
internal sealed class SourceTurn(ServiceView view, IPacketSource source, int weight) : IOutboundTurn
{
    public IPacketSource Source { get; } = source;

    public int Weight { get; } = weight;

    /// <summary>Links that it declared, a bit each.</summary>
    public int ReadyBits { get; set; }

    /// <summary>Links that it declared again since it was last asked, a bit each.</summary>
    public int SaidBits { get; set; }

    LinkSet IOutboundTurn.Ready
    {
        get => new((byte)ReadyBits);
        set
        {
            if (!view.IsStopped)
            {
                view.Runtime.Sources.SetReady(view.Slot, this, value.Bits);
            }
        }
    }
}
