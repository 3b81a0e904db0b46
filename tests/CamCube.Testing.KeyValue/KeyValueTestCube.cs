using CamCube.Services.KeyValue;

namespace CamCube.Testing;

/// <summary>The key-value store in a test cube.</summary>
public static class KeyValueTestCube
{
    /// <summary>Adds the store to every server, before first use of the cube: a service under test has it by
    /// <see cref="Dependency{T}"/>. It keeps what it is told over <see cref="TestCube.Kill"/> and
    /// <see cref="TestCube.Revive(Coordinate)"/> on the servers' simulated disks.</summary>
    /// <param name="cube">The cube.</param>
    /// <param name="options">Its settings; null: the defaults.</param>
    public static TestCube AddKeyValueStore(this TestCube cube, KeyValueOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(cube);
        return cube.Add(server => new KeyValueService(server, options ?? new KeyValueOptions()));
    }
}
