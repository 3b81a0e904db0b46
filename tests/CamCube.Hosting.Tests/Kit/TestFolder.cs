namespace CamCube.Hosting.Tests.Kit;

/// <summary>A folder as a host finds it beside its program, with the test services in <c>services/echo</c>
/// and a front end in an assembly of its own in <c>front-ends/said</c>.</summary>
internal sealed class TestFolder : IDisposable
{
    public TestFolder(string? settings = null)
    {
        Directory.CreateDirectory(System.IO.Path.Combine(Path, "services"));
        Directory.CreateSymbolicLink(
            ServiceFolder("echo"),
            System.IO.Path.Combine(AppContext.BaseDirectory, "services", "echo")
        );
        Directory.CreateDirectory(FrontEndFolder(""));
        Directory.CreateSymbolicLink(
            FrontEndFolder("said"),
            System.IO.Path.Combine(AppContext.BaseDirectory, "front-ends", "said")
        );
        if (settings is not null)
        {
            File.WriteAllText(SettingsFile, settings);
        }
    }

    public string Path { get; } = Directory.CreateTempSubdirectory("camcube-hosting-").FullName;

    public string SettingsFile => System.IO.Path.Combine(Path, "appsettings.json");

    public static string TestServices =>
        System.IO.Path.Combine(AppContext.BaseDirectory, "services", "echo", "CamCube.TestServices.dll");

    public string ServiceFolder(string name) => System.IO.Path.Combine(Path, "services", name);

    public string FrontEndFolder(string name) => System.IO.Path.Combine(Path, "front-ends", name);

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
