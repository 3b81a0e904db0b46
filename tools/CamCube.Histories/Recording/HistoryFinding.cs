namespace CamCube.Histories.Recording;

/// <summary>What a check of a history has found.</summary>
/// <param name="holds">What clients were told can be true. Null: it was not decided within the limit.</param>
/// <param name="explain">Says what is wrong, in some lines; asked once at most.</param>
public sealed class HistoryFinding(bool? holds, Func<string> explain)
{
    private readonly Lazy<string> _text = new(explain);

    /// <summary>Nothing is wrong.</summary>
    public static HistoryFinding Good { get; } = new(true, static () => "");

    /// <summary>What clients were told can be true. Null: it was not decided within the limit.</summary>
    public bool? Holds => holds;

    /// <summary>What is wrong, or was not decided, in some lines with times in milliseconds; empty where all holds. The
    /// first look may take some seconds: the smallest part that shows it is searched for.</summary>
    public string Text => _text.Value;
}
