using CamCube.Hosting.Cubes;
using CamCube.Hosting.Settings;
using CamCube.Runtime.Cubes;
using CamCube.Runtime.Services;

namespace CamCube.Hosting.Tests.Kit;

/// <summary>Makes a <see cref="FakeCube"/>; its properties say how that one behaves.</summary>
internal sealed class FakeCubeFactory : ICubeFactory
{
    private volatile TaskCompletionSource _asked = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile Task<bool> _turns = Task.FromResult(true);

    public string Name { get; init; } = "Simulator";

    public bool RunsWholeCube { get; init; } = true;

    public object? Options { get; init; }

    public IReadOnlyList<SettingDescription> Settings => [];

    public bool CanControl { get; init; } = true;

    public Journal Journal { get; } = new();

    public Exception? CreateFailure { get; init; }

    public Exception? StartFailure { get; init; }

    public Task MayStart { get; init; } = Task.CompletedTask;

    public Task MayStop { get; init; } = Task.CompletedTask;

    public ServiceState ServiceState { get; set; } = ServiceState.Running;

    public CablingReport? Cabling { get; set; }

    /// <summary>What a cube answers when it is asked whether its loops turn.</summary>
    public Task<bool> Turns
    {
        get => _turns;
        set
        {
            _asked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            _turns = value;
        }
    }

    /// <summary>Completes when <see cref="Turns"/> was asked since it was set.</summary>
    public Task TurnsAsked => _asked.Task;

    /// <summary>Completes when it is asked once more.</summary>
    public Task TurnsAskedAgainAsync()
    {
        _asked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        return _asked.Task;
    }

    /// <summary>The end of the cube's loops.</summary>
    public TaskCompletionSource Ended { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public CubeRequest? Request { get; private set; }

    public FakeCube? Cube { get; private set; }

    public Task<bool> AskTurns()
    {
        _asked.TrySetResult();
        return _turns;
    }

    public ICube Create(CubeRequest request)
    {
        Request = request;
        return CreateFailure is null ? Cube = new FakeCube(request, this) : throw CreateFailure;
    }
}
