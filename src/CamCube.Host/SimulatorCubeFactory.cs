using CamCube.Hosting.Cubes;
using CamCube.Hosting.Settings;
using CamCube.Runtime.Cubes;
using CamCube.Simulator.Live;

namespace CamCube.Host;

/// <summary>The whole cube in this process, on simulated cables in real time.</summary>
/// <param name="time">The real clock.</param>
internal sealed class SimulatorCubeFactory(TimeProvider time) : ICubeFactory
{
    private readonly SimulatorSettings _settings = new();

    /// <inheritdoc/>
    public string Name => "Simulator";

    /// <inheritdoc/>
    public bool RunsWholeCube => true;

    /// <inheritdoc/>
    public object Options => _settings;

    /// <inheritdoc/>
    public IReadOnlyList<SettingDescription> Settings => SimulatorSettings.Descriptions;

    /// <inheritdoc/>
    public ICube Create(CubeRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        LiveCubeOptions options = _settings.ToLiveCube();
        (options.Decorate, options.Advanced) = (request.Decorate, request.Advanced);
        return new LiveCube(
            request.Shape,
            request.Services,
            request.Options,
            request.Events,
            options,
            request.Seed,
            time
        );
    }
}
