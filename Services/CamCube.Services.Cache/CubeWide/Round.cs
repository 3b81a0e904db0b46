namespace CamCube.Services.Cache.CubeWide;

/// <summary>One question to many servers, and who has answered it.</summary>
internal sealed class Round(ulong question, int servers)
{
    private readonly bool[] _answered = new bool[servers];

    public ulong Question { get; } = question;

    /// <summary>Sums of counters, for statistics.</summary>
    public long[]? Sums { get; init; }

    /// <summary>Whether a server answered that can know.</summary>
    public bool HasKnowing { get; set; }

    /// <summary>How many have answered.</summary>
    public int Answered { get; private set; }

    public bool HasAnswered(int rank) => _answered[rank];

    public void NoteAnswered(int rank)
    {
        _answered[rank] = true;
        Answered++;
    }
}
