using System.Runtime.InteropServices;

namespace CamCube.Calls.Tests.Ledgers;

/// <summary>Content of an answer.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
public struct SumHead
{
    public const int Size = 24;
    public RootStamp Root;
    public long Sum;
}
