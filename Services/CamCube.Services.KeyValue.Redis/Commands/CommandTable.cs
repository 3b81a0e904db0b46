using System.Runtime.InteropServices;
using System.Text;
using CamCube.Services.KeyValue.Redis.Work;

namespace CamCube.Services.KeyValue.Redis.Commands;

/// <summary>All commands, by name. Immutable.</summary>
internal static class CommandTable
{
    private static readonly Dictionary<UInt128, RedisCommand> ByName = All().ToDictionary(c => Fold(Bytes(c.Name)));
    private static readonly Dictionary<UInt128, string> Foreign = ForeignCommands.All.ToDictionary(
        c => Fold(Bytes(c.Name)),
        c => c.Kind
    );

    /// <summary>All commands, in the order of their names.</summary>
    public static IReadOnlyList<RedisCommand> Commands { get; } =
    [.. ByName.Values.OrderBy(c => c.Name, StringComparer.Ordinal)];

    /// <summary>A command by its name, whatever its letters' case; null: there is none.</summary>
    public static RedisCommand? Find(ReadOnlySpan<byte> name) => ByName.GetValueOrDefault(Fold(name));

    /// <summary>What a command of Redis is about that this store has not; null: Redis has none either.</summary>
    public static string? ForeignKindOf(ReadOnlySpan<byte> name) => Foreign.GetValueOrDefault(Fold(name));

    // No name is longer than 16 bytes; a longer one becomes one that nobody has.
    private static UInt128 Fold(ReadOnlySpan<byte> name)
    {
        if (name.Length > 16)
        {
            return UInt128.MaxValue;
        }

        Span<byte> letters = stackalloc byte[16];
        letters.Clear();
        for (int i = 0; i < name.Length; i++)
        {
            letters[i] = name[i] is >= (byte)'A' and <= (byte)'Z' ? (byte)(name[i] | 0x20) : name[i];
        }

        return MemoryMarshal.Read<UInt128>(letters);
    }

    private static byte[] Bytes(string name) => Encoding.ASCII.GetBytes(name);

    private static IEnumerable<RedisCommand> All() => [.. StringRows.All(), .. KeyRows.All(), .. SessionRows.All()];
}
