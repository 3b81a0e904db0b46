using CamCube.Hosting.Settings;
using CamCube.Runtime.Cubes;

namespace CamCube.Hosting.Cubes;

/// <summary>Makes the cube of a process; chosen by its name in <c>CamCube:Shim</c>. Called once, on the thread that
/// starts the host.</summary>
public interface ICubeFactory
{
    /// <summary>The name in <c>CamCube:Shim</c>, also that of the section with its settings.</summary>
    string Name { get; }

    /// <summary>
    /// The object that takes the settings below <c>CamCube:{Name}</c>: the host fills its properties before it calls
    /// <see cref="Create"/> and reports what does not fit, names that it does not have included. Null: anything may
    /// stand there.
    /// </summary>
    object? Options { get; }

    /// <summary>These settings for <c>--help</c>, with full names.</summary>
    IReadOnlyList<SettingDescription> Settings { get; }

    /// <summary>Whether <see cref="Settings"/> is all that may stand below <c>CamCube:{Name}</c>, where there are no
    /// <see cref="Options"/> that say so. Names may end with <c>{anything}</c>.</summary>
    bool KnowsAllSettings => false;

    /// <summary>Whether <c>CamCube:Coordinate</c> must be set, where the process runs one server.</summary>
    bool NeedsCoordinate => true;

    /// <summary>Whether the process runs all servers of the cube, or only the one at
    /// <c>CamCube:Coordinate</c>.</summary>
    bool RunsWholeCube { get; }

    /// <summary>Makes the cube; nothing runs yet.</summary>
    /// <exception cref="LinkProviderException">It cannot be made; the message is one line for people.</exception>
    ICube Create(CubeRequest request);
}
