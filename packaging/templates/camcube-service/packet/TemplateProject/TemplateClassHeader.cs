namespace TemplateSpace;

/// <summary>What is in front of each packet. Unmanaged fields, at most 64 bytes; the same on all servers.</summary>
public struct TemplateClassHeader
{
    /// <summary>Which question it is, or is answered.</summary>
    public ulong Question;

    /// <summary>Cables it has come along.</summary>
    public int Hops;

    /// <summary>Whether it is on its way back: 0 or 1.</summary>
    public int IsAnswer;
}
