namespace CamCube.Testbed;

/// <summary>Finds the host's program.</summary>
public static class HostProgramFile
{
    /// <summary>The full path of a program that was named, or of CamCube.Host built in the same checkout and
    /// configuration as this tool.
    /// </summary>
    /// <exception cref="TestbedException">There is none.</exception>
    public static string Find(string? named)
    {
        if (named is not null)
        {
            string full = Path.GetFullPath(named);
            return File.Exists(full)
                ? full
                : throw new TestbedException($"--program '{named}': there is no such file.", isUsage: true);
        }

        return Beside()
            ?? throw new TestbedException(
                "CamCube.Host is not beside this tool; build it with 'dotnet build -c Release src/CamCube.Host', "
                    + "or name it with --program.",
                isUsage: true
            );
    }

    /// <summary>The full path of CamCube.Host built in the same checkout and configuration as this tool, or
    /// null.</summary>
    public static string? Beside()
    {
        // artifacts/bin/camcube/release/ -> artifacts/bin/CamCube.Host/release/
        var own = new DirectoryInfo(AppContext.BaseDirectory.TrimEnd(Path.DirectorySeparatorChar));
        string? file = own.Parent?.Parent is { } bin
            ? Path.Combine(bin.FullName, "CamCube.Host", own.Name, "CamCube.Host.dll")
            : null;
        return File.Exists(file) ? file : null;
    }
}
