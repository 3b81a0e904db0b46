using CamCube.Loads.Measuring;

namespace CamCube.Loads.Targets;

/// <summary>Some connections on one thread.</summary>
internal interface ILoadLoop : IDisposable
{
    /// <summary>What came of operations.</summary>
    LoadTally Tally { get; }

    /// <summary>No server was there for as long as an answer is waited for, and the phase was ended for that.</summary>
    bool IsGone { get; }

    /// <summary>Runs until the phase is over and every answer is there, or was waited for.</summary>
    void Run();
}
