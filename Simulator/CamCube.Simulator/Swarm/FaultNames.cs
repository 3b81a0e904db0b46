using System.Text.RegularExpressions;

namespace CamCube.Simulator.Swarm;

/// <summary>Names of faults as they are written on command lines and in files: lower case with hyphens.</summary>
public static partial class FaultNames
{
    /// <summary>All of them, in the order of <see cref="FaultKind"/>.</summary>
    public static IReadOnlyList<string> All { get; } = [.. Enum.GetValues<FaultKind>().Select(Of)];

    /// <summary>The name of a fault.</summary>
    public static string Of(FaultKind kind) =>
        Upper().Replace(kind.ToString(), m => "-" + m.Value).TrimStart('-').ToLowerInvariant();

    /// <summary>The fault of a name.</summary>
    public static bool TryParse(string name, out FaultKind kind)
    {
        int place = All.ToList().IndexOf(name);
        kind = place < 0 ? default : (FaultKind)place;
        return place >= 0;
    }

    [GeneratedRegex("[A-Z]")]
    private static partial Regex Upper();
}
