namespace CamCube.FrontEnds.Tests;

/// <summary>What the tests' protocols serve with.</summary>
public interface IQuiet
{
    /// <summary>Throws, as a service with a mistake in it does.</summary>
    void Break();

    /// <summary>Ends later, on the loop.</summary>
    ValueTask<int> WaitAsync(TaskCompletionSource<int> until);
}
