using CamCube.Hosting.Cubes;
using CamCube.Hosting.Settings;
using CamCube.Runtime.Cubes;
using CamCube.Runtime.Services;
using CamCube.Runtime.Watching;

namespace CamCube.Hosting.Tests.Kit;

/// <summary>Makes a <see cref="FakeCube"/>; its properties say how that one behaves.</summary>
internal sealed class FakeCubeFactory : ICubeFactory
{
    private volatile Func<long, LoopSight> _look = static _ => new LoopSight(LoopPhase.Runs, 0, null);

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

    /// <summary>Services of a server are replaced when this has completed.</summary>
    public Func<int, Task> MayReplace { get; init; } = static _ => Task.CompletedTask;

    public ServiceState ServiceState { get; set; } = ServiceState.Running;

    /// <summary>What its services say is not as it should be.</summary>
    public string? Unwell { get; set; }

    public CablingReport? Cabling { get; set; }

    /// <summary>The alarm of the loop; null: it has none. Set before anybody looks.</summary>
    public Func<TimeSpan, ILoopAlarm?> CreateAlarm { get; set; } = static _ => null;

    /// <summary>What is seen of the cube's loop at a time of the watch.</summary>
    public Func<long, LoopSight> Look
    {
        get => _look;
        set => _look = value;
    }

    /// <summary>Packets that the service holds on each server.</summary>
    public int Held { get; set; } = 9;

    /// <summary>The end of the cube's loops.</summary>
    public TaskCompletionSource Ended { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public CubeRequest? Request { get; private set; }

    public FakeCube? Cube { get; private set; }

    public ICube Create(CubeRequest request)
    {
        Request = request;
        return CreateFailure is null ? Cube = new FakeCube(request, this) : throw CreateFailure;
    }
}
