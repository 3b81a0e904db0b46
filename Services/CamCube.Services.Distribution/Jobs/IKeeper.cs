namespace CamCube.Services.Distribution.Jobs;

/// <summary>Who keeps a file, and is told how that goes. Loop only.</summary>
internal interface IKeeper
{
    /// <summary>More pieces are on disk.</summary>
    void OnStored();

    /// <summary>A piece came, whole and with right sums.</summary>
    /// <param name="piece">The piece.</param>
    /// <param name="giver">Who gave it; null: more than one, each a part.</param>
    void OnCame(int piece, Coordinate? giver);

    /// <summary>Somebody gave a block that is not what it was.</summary>
    void Blame(Coordinate server);

    /// <summary>It cannot go on: why.</summary>
    void OnFailed(string words);
}
