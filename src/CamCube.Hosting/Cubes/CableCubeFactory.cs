using CamCube.Hosting.Settings;
using CamCube.Runtime.Cubes;
using CamCube.Runtime.Hosts;

namespace CamCube.Hosting.Cubes;

/// <summary>A cube of which this process runs one server, on the links of a provider.</summary>
/// <param name="links">The provider.</param>
/// <param name="time">The clock of the server.</param>
internal sealed class CableCubeFactory(ILinkProvider links, TimeProvider time) : ICubeFactory
{
    /// <inheritdoc/>
    public string Name => links.Name;

    /// <summary>Only the provider knows its settings; it says so itself when a value is wrong.</summary>
    public object? Options => null;

    /// <inheritdoc/>
    public IReadOnlyList<SettingDescription> Settings { get; } =
    [
        .. (links.Settings ?? []).Select(s => new SettingDescription(
            $"CamCube:{links.Name}:{s.Name}",
            s.Default,
            s.Effect
        )),
    ];

    /// <inheritdoc/>
    public bool KnowsAllSettings => links.Settings is not null;

    /// <inheritdoc/>
    public bool NeedsCoordinate => !links.FindsCoordinate;

    /// <inheritdoc/>
    public bool RunsWholeCube => false;

    /// <inheritdoc/>
    public ICube Create(CubeRequest request) =>
        new CableCube(
            links,
            new LinkProviderRequest(request.Coordinate, request.Shape, request.Settings)
            {
                ClusterId = request.ClusterId,
                StateDirectory = request.StateDirectory,
                Time = time,
                News = request.News,
            },
            request.Services,
            request.Options,
            request.Events,
            request.Seed
        )
        {
            CanControl = request.AllowControl,
            Decorate = request.Decorate ?? (static (_, _, links) => links),
        };
}
