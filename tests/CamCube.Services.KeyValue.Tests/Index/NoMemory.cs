using System.Diagnostics.CodeAnalysis;

namespace CamCube.Services.KeyValue.Tests.Index;

/// <summary>A server's memory of which nothing is left.</summary>
internal sealed class NoMemory : IServerMemory
{
    public long Limit => 0;

    public long Claimed => 0;

    public long Room => 0;

    public bool TryClaim(string name, long bytes, [NotNullWhen(true)] out IMemoryClaim? claim)
    {
        claim = null;
        return false;
    }
}
