namespace CamCube.Runtime.Loop;

/// <summary>Whose a wait on a loop is: an instance of a service. Loop only.</summary>
internal interface ILoopOwner
{
    /// <summary>The instance has ended, or is about to: nobody of it waits any more.</summary>
    bool IsStopped { get; }

    /// <summary>Runs something on the loop, in the instance's name.</summary>
    void Post(Action<object?> work, object? state);
}
