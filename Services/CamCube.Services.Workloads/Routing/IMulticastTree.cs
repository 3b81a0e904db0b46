namespace CamCube.Services.Workloads.Routing;

/// <summary>Multicast trees by joins (SIGCOMM §3.2). A tree is named by the key at its root. Loop only.</summary>
public interface IMulticastTree
{
    /// <summary>Packets that members on this server got.</summary>
    long Received { get; }

    /// <summary>Links of all trees that leave here towards members.</summary>
    int ChildLinks { get; }

    /// <summary>Makes this server a member of a tree.</summary>
    void Join(Key tree);

    /// <summary>Sends a packet to all members; at the root of the tree's key.</summary>
    void Publish(Key tree);
}
