using CamCube;

namespace TemplateSpace;

/// <summary>What is in front of each packet: what CamCube needs to route it, then fields of the service's own. At most
/// 64 bytes; the same on all servers.</summary>
public struct TemplateClassHeader
{
    /// <summary>CamCube's; it is the first one.</summary>
    public ExtendedHeader Extended;

    /// <summary>Which question it is, or is answered.</summary>
    public ulong Question;

    /// <summary>Cables it has come along.</summary>
    public int Hops;
}
