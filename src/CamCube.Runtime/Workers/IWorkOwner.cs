using CamCube.Runtime.Loop;

namespace CamCube.Runtime.Workers;

/// <summary>Whose a job is: an instance of a service, with what a job needs of the instance's server. Loop
/// only.</summary>
internal interface IWorkOwner : ILoopOwner
{
    /// <summary>Name of the service. Any thread.</summary>
    string Name { get; }

    /// <summary>Id of the service.</summary>
    ServiceId Id { get; }

    /// <summary>What the instance waits for.</summary>
    JobList Jobs { get; }

    /// <summary>What the server has with the worker threads.</summary>
    ServerWork Work { get; }

    /// <summary>Time is virtual: nothing may come from another thread.</summary>
    bool IsVirtual { get; }

    /// <summary>Where what was made elsewhere comes back. Any thread.</summary>
    LoopInbox Inbox { get; }

    /// <summary>Rank of the server. Any thread.</summary>
    int Rank { get; }

    /// <summary>A result comes in from outside: the server's time becomes that of now.</summary>
    void BeginResult();

    /// <summary>The result is in, and the server may have something to do.</summary>
    void EndResult();

    /// <summary>A timer of the instance.</summary>
    ServerTimer CreateTimer(Action onDue);

    /// <summary>Arms a timer, whatever the server's clock does meanwhile: for what happens outside of it.</summary>
    /// <param name="timer">One of <see cref="CreateTimer"/>.</param>
    /// <param name="nanos">From now on, in nanoseconds of true time.</param>
    void ArmInTrueTime(ServerTimer timer, long nanos);

    /// <summary>Something threw that is nobody's callback.</summary>
    void CountLateFault();

    /// <summary>Work did not end in time and keeps its thread.</summary>
    /// <param name="work">Which.</param>
    /// <param name="lost">How many threads of its class are lost like that.</param>
    void TellOverrun(string work, int lost);
}
