namespace CamCube.Services.Workloads.Routing;

/// <summary>Packets of multicast trees.</summary>
internal static class TreePackets
{
    /// <summary>An empty packet of a tree; null: there is no room for one.</summary>
    /// <typeparam name="THeader">The service's header.</typeparam>
    public static Packet? Make<THeader>(IServer server, Key tree, TreeKind kind)
        where THeader : unmanaged, ITreeHeader
    {
        if (!server.Packets.TryRent(0, out Packet? packet))
        {
            return null;
        }

        ref THeader header = ref packet.Header<THeader>();
        (header.Tree, header.Kind) = (tree.Route, kind);
        return packet;
    }
}
