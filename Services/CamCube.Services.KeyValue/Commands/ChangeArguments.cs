using System.ComponentModel;

namespace CamCube.Services.KeyValue.Commands;

/// <summary>Arguments of the commands put and delete.</summary>
internal sealed record ChangeArguments : KeyArguments
{
    [Description("only if the key has this version")]
    public ulong IfVersion { get; init; }

    [Description("only if there is no such key")]
    public bool IfAbsent { get; init; }

    [Description("only if there is one")]
    public bool IfPresent { get; init; }

    /// <summary>What must be so.</summary>
    /// <param name="condition">The condition.</param>
    /// <returns>What is wrong; null: nothing.</returns>
    public string? ReadCondition(out KeyValueCondition condition)
    {
        condition =
            IfVersion != 0 ? KeyValueCondition.Is(IfVersion)
            : IfAbsent ? KeyValueCondition.Absent
            : IfPresent ? KeyValueCondition.Present
            : default;
        int count = (IfVersion != 0 ? 1 : 0) + (IfAbsent ? 1 : 0) + (IfPresent ? 1 : 0);
        return count > 1 ? "of ifVersion, ifAbsent and ifPresent one is enough." : null;
    }
}
