using System.Xml.Linq;
using CamCube.Hosting.Loading;
using CamCube.Hosting.Tests.Kit;

namespace CamCube.Hosting.Tests.Loading;

public sealed class SharedAssembliesTests
{
    /// <summary>The build keeps copies of them away from services, the host takes its own if there is one
    /// nevertheless.</summary>
    [Fact]
    public void What_the_host_shares_is_what_the_build_does_not_copy()
    {
        XDocument targets = XDocument.Load(Path.Combine(Repository.Root, "Directory.Build.targets"));
        string[] notCopied =
        [
            .. targets
                .Descendants("ProjectReference")
                .Where(reference => (string?)reference.Attribute("Private") == "false")
                .Select(reference => (string?)reference.Attribute("Update"))
                .OfType<string>()
                .Select(path => Path.GetFileNameWithoutExtension(path)),
        ];
        Assert.Equal(SharedAssemblies.Own.Order(), notCopied.Order());
    }
}
