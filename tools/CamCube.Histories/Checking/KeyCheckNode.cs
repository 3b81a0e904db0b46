namespace CamCube.Histories.Checking;

/// <summary>A moment in the order that is tried: a state, and what was not tried from it yet.</summary>
internal sealed class KeyCheckNode
{
    /// <summary>What the key is.</summary>
    public required KeyState State { get; init; }

    /// <summary>How many were placed before the one that led here.</summary>
    public required int Taken { get; init; }

    /// <summary>Of what led here, if nobody knows its end: its kind; else -1.</summary>
    public required int Kind { get; init; }

    /// <summary>What led here is of those whose end nobody knows, and no answer needed it so far.</summary>
    public required bool IsIdle { get; init; }

    /// <summary>From where in time the next is looked for, of those whose answer is known.</summary>
    public required int NextEntry { get; set; }

    /// <summary>The next kind that is tried, of those whose end nobody knows.</summary>
    public int NextKind { get; set; }

    /// <summary>How many of each kind had to be used for that nothing was found from here so far; empty:
    /// none.</summary>
    public int[] Need { get; private set; } = [];

    /// <summary>Nothing was found by one of a kind, for it was not there: whoever has used that many has
    /// none.</summary>
    public void Miss(int kind, int used, int kinds)
    {
        if (used > 0)
        {
            Need = Need.Length == 0 ? new int[kinds] : Need;
            Need[kind] = Math.Max(Need[kind], used);
        }
    }

    /// <summary>Nothing was found behind what was placed next.</summary>
    /// <param name="need">What had to be used there.</param>
    /// <param name="kind">The kind that was placed, if nobody knows its end; else -1.</param>
    public void Fail(int[] need, int kind)
    {
        for (int i = 0; i < need.Length; i++)
        {
            Miss(i, i == kind ? need[i] - 1 : need[i], need.Length);
        }
    }
}
