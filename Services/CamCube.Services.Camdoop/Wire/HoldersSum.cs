using System.IO.Hashing;
using System.Runtime.InteropServices;

namespace CamCube.Services.Camdoop.Wire;

/// <summary>Says which holders a server has in eight bytes: whoever leads, and in whatever order messages come, those
/// with the same sum are the same. Any thread.</summary>
internal static class HoldersSum
{
    /// <summary>No holders.</summary>
    public const ulong None = 0;

    /// <summary>The sum of holders; null: <see cref="None"/>.</summary>
    public static ulong Of(int[]? holders) =>
        holders is null ? None : Math.Max(1, XxHash64.HashToUInt64(MemoryMarshal.AsBytes(holders.AsSpan())));
}
