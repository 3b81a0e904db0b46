using CamCube.Hosting.Cubes;
using CamCube.Hosting.Settings;
using CamCube.Runtime.Cubes;
using CamCube.Runtime.Services;

namespace CamCube.Hosting.Tests.Kit;

/// <summary>Makes a <see cref="FakeCube"/>; its properties say how that one behaves.</summary>
internal sealed class FakeCubeFactory : ICubeFactory
{
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

    public CubeRequest? Request { get; private set; }

    public ICube Create(CubeRequest request)
    {
        Request = request;
        return CreateFailure is null ? new FakeCube(request, this) : throw CreateFailure;
    }
}
