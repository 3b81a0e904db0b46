namespace CamCube.Experiments.Moves;

/// <summary>A cube with the messenger and the service roaming on each server, on cables or in virtual time, as
/// <see cref="MovesExperiment"/> uses it. One thread.</summary>
internal interface IMovesCube
{
    /// <summary>The cube.</summary>
    TorusShape Shape { get; }

    /// <summary>Time in nanoseconds, by a clock that all of it is measured with.</summary>
    long NowNanos { get; }

    /// <summary>Gives a service of a server an order, as in <c>report?from=5</c>. Answers what it says, as JSON.
    /// </summary>
    string Tell(int rank, string service, string order);

    /// <summary>Lets time pass.</summary>
    void Sleep(TimeSpan time);

    /// <summary>Ends a server without a word to anybody.</summary>
    void Kill(int rank);

    /// <summary>Starts it again, and waits until it is ready.</summary>
    void Restart(int rank);
}
