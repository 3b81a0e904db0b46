using System.Reflection.PortableExecutable;
using System.Xml.Linq;
using CamCube.SystemTests.Cables;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests;

/// <summary>What packaging/ promises.</summary>
public sealed class PackagingTests
{
    private static readonly string Folder = Path.Combine(BuiltPrograms.Root, "packaging");

    /// <summary>One of each kind that is loaded, as users' are.</summary>
    private static readonly string[] Samples = ["Echo", "Hello", "Notes", "SocketCables"];

    [Fact]
    public async Task The_settings_beside_the_unit_are_settings_of_the_host()
    {
        // Taken ports end the run before anything real is opened; a setting that is none would be named too.
        int port = HostProcess.FreePorts(1);
        using var taken = new System.Net.Sockets.TcpListener(System.Net.IPAddress.Loopback, port);
        taken.Start();
        (int exitCode, string output) = await HostProcess.RunToEndAsync(
            port,
            HostProcess.FreePorts(1),
            "--settings",
            Path.Combine(Folder, "systemd", "settings.json")
        );
        Assert.Equal(2, exitCode);
        string line = Assert.Single(output.Split('\n', StringSplitOptions.RemoveEmptyEntries));
        Assert.Contains($"port {port} on 127.0.0.1 is taken", line);
    }

    [Fact]
    public async Task The_pods_may_read_their_key_and_nothing_that_they_do_not_need()
    {
        string text = await File.ReadAllTextAsync(
            Path.Combine(Folder, "kubernetes", "camcube.yaml"),
            TestContext.Current.CancellationToken
        );
        Dictionary<string, string>[] documents = [.. YamlText.Documents(text)];
        Assert.Equal(["Service", "StatefulSet", "NetworkPolicy"], documents.Select(d => d["kind"]));
        Dictionary<string, string> set = documents[1],
            policy = documents[2];

        // The user of the SDK's images, and a key that this user can read and nobody else.
        const string Pod = "spec.template.spec",
            Container = Pod + ".containers[0]";
        Assert.Equal("true", set[$"{Pod}.securityContext.runAsNonRoot"]);
        Assert.Equal("1654", set[$"{Pod}.securityContext.runAsUser"]);
        Assert.Equal("1654", set[$"{Pod}.securityContext.fsGroup"]);
        Assert.Equal("RuntimeDefault", set[$"{Pod}.securityContext.seccompProfile.type"]);
        Assert.Equal("false", set[$"{Pod}.automountServiceAccountToken"]);
        string secret = set.Single(s => s.Value == "camcube-key").Key;
        Assert.Equal("0440", set[secret.Replace("secretName", "defaultMode", StringComparison.Ordinal)]);
        Assert.Contains("--CamCube:Udp:ClusterKeyFile=/etc/camcube/key", set.Values);
        Assert.Equal("/etc/camcube", set[$"{Container}.volumeMounts[1].mountPath"]);

        Assert.Equal("false", set[$"{Container}.securityContext.allowPrivilegeEscalation"]);
        Assert.Equal("true", set[$"{Container}.securityContext.readOnlyRootFilesystem"]);
        Assert.Equal("ALL", set[$"{Container}.securityContext.capabilities.drop[0]"]);
        Assert.True(set.ContainsKey($"{Container}.resources.limits.memory"));
        Assert.False(set.ContainsKey($"{Container}.resources.limits.cpu"), "a server without CPU is taken for dead");
        Assert.Matches(@"^camcube:\d+\.\d+\.\d+$", set[$"{Container}.image"]);

        // Everything that is open in the pods is held to somebody, and HTTP to nobody.
        Assert.Equal("Ingress", policy["spec.policyTypes[0]"]);
        Assert.Equal(set["spec.selector.matchLabels.app"], policy["spec.podSelector.matchLabels.app"]);
        Assert.Equal(("UDP", "7000", "7005"), Port(0));
        Assert.Equal(
            set["spec.selector.matchLabels.app"],
            policy["spec.ingress[0].from[0].podSelector.matchLabels.app"]
        );
        Assert.Equal(("TCP", "11211", null), Port(1));
        Assert.True(policy.ContainsKey("spec.ingress[1].from[0].podSelector.matchLabels.camcube-client"));
        Assert.DoesNotContain(policy.Keys, key => key.StartsWith("spec.ingress[2]", StringComparison.Ordinal));
        Assert.DoesNotContain("8080", policy.Values);

        (string, string, string?) Port(int rule) =>
            (
                policy[$"spec.ingress[{rule}].ports[0].protocol"],
                policy[$"spec.ingress[{rule}].ports[0].port"],
                policy.GetValueOrDefault($"spec.ingress[{rule}].ports[0].endPort")
            );
    }

    [Fact]
    public async Task Services_have_a_disk_where_the_unit_lets_them_write_and_the_docs_say_where_they_go()
    {
        string settings = await File.ReadAllTextAsync(
            Path.Combine(Folder, "systemd", "settings.json"),
            TestContext.Current.CancellationToken
        );
        string unit = await File.ReadAllTextAsync(
            Path.Combine(Folder, "systemd", "camcube.service"),
            TestContext.Current.CancellationToken
        );
        string docs = await File.ReadAllTextAsync(
            Path.Combine(BuiltPrograms.Root, "docs", "deployment.md"),
            TestContext.Current.CancellationToken
        );
        using var json = System.Text.Json.JsonDocument.Parse(
            settings,
            new System.Text.Json.JsonDocumentOptions { CommentHandling = System.Text.Json.JsonCommentHandling.Skip }
        );
        string data = json.RootElement.GetProperty("CamCube").GetProperty("DataFolder").GetString()!;
        string state = unit.Split('\n').Single(line => line.StartsWith("StateDirectory=", StringComparison.Ordinal))[
            "StateDirectory=".Length..
        ];
        Assert.StartsWith($"/var/lib/{state}/", data, StringComparison.Ordinal);
        Assert.Contains("/opt/camcube/services/", docs, StringComparison.Ordinal);
        Assert.Contains(data, docs, StringComparison.Ordinal);
    }

    /// <summary>The loop of a server must not stand still while the code of its first packets is compiled.</summary>
    [Theory]
    [InlineData("CamCube.Host", "CamCube.Runtime")]
    [InlineData("CamCube.Host", "services/cache/CamCube.Services.Cache")]
    [InlineData("CamCube.Host", "front-ends/memcached/CamCube.Services.Cache.Memcached")]
    [InlineData("CamCube.Host", "front-ends/redis/CamCube.Services.KeyValue.Redis")]
    [InlineData("camcube", "camcube")]
    [InlineData("camcube", "CamCube.Services.Cache")]
    [InlineData("CamCube.Memcached", "CamCube.Memcached")]
    public void Programs_of_a_release_build_are_compiled_ahead(string project, string assembly)
    {
        bool release = BuiltPrograms
            .Find(project)
            .EndsWith($"release{Path.DirectorySeparatorChar}{project}.dll", StringComparison.Ordinal);
        using var image = new PEReader(File.OpenRead(BuiltPrograms.Find(project, assembly)));
        Assert.Equal(release, image.PEHeaders.CorHeader!.ManagedNativeHeaderDirectory.Size > 0);
    }

    /// <summary>A second copy is at best a file that nobody reads. What an assembly brings is in its own list, also
    /// where an older build left files beside it.</summary>
    [Fact]
    public void What_is_loaded_brings_no_copy_of_what_it_shares_with_its_host()
    {
        string host = Path.GetDirectoryName(BuiltPrograms.Find("CamCube.Host"))!;
        string[] lists =
        [
            .. Directory.EnumerateFiles(Path.Combine(host, "services"), "*.deps.json", SearchOption.AllDirectories),
            .. Directory.EnumerateFiles(Path.Combine(host, "front-ends"), "*.deps.json", SearchOption.AllDirectories),
            .. Samples.Select(sample => Path.ChangeExtension(BuiltPrograms.Find(sample), ".deps.json")),
        ];

        // A program beside a service (the worker of images) runs in a process of its own: it shares nothing.
        lists =
        [
            .. lists.Where(list => !File.Exists(list.Replace(".deps.json", OperatingSystem.IsWindows() ? ".exe" : ""))),
        ];
        Assert.True(lists.Length >= 4 + Samples.Length, "the host has no services or no front ends");
        Assert.All(
            lists,
            list =>
            {
                string[] brought = [.. Brought(list)];
                Assert.Contains(Path.GetFileName(list).Replace(".deps.json", ".dll"), brought);
                Assert.DoesNotContain(brought, name => name.StartsWith("CamCube.") && HostHas(name));
            }
        );

        bool HostHas(string name) => File.Exists(Path.Combine(host, name));
    }

    [Theory]
    [InlineData("CamCube.Host")]
    [InlineData("CamCube.Memcached")]
    public void The_licences_of_others_stand_beside_what_is_given_away(string project)
    {
        const string Notices = "THIRD-PARTY-NOTICES.md";
        Assert.Equal(
            File.ReadAllBytes(Path.Combine(BuiltPrograms.Root, Notices)),
            File.ReadAllBytes(Path.Combine(Path.GetDirectoryName(BuiltPrograms.Find(project))!, Notices))
        );
    }

    [Fact]
    public void The_notices_name_the_versions_that_are_built_in()
    {
        string notices = File.ReadAllText(Path.Combine(BuiltPrograms.Root, "THIRD-PARTY-NOTICES.md"));
        int seen = 0;
        foreach (
            XElement package in XDocument
                .Load(Path.Combine(BuiltPrograms.Root, "Directory.Packages.props"))
                .Descendants("PackageVersion")
        )
        {
            (string name, string version) = (package.Attribute("Include")!.Value, package.Attribute("Version")!.Value);
            if (notices.Contains($"| {name} "))
            {
                Assert.Contains($"| {name} {version} |", notices);
                seen++;
            }
        }

        Assert.True(seen >= 5, $"only {seen} packages are in the notices");
    }

    /// <summary>The generator of .NET 10 writes several of them in another order each time
    /// (dotnet/runtime#119587).</summary>
    [Fact]
    public void Of_a_packed_assembly_one_class_at_most_has_generated_log_messages()
    {
        foreach (string room in (string[])["src", "Services", "Shim", "Simulator", "tools"])
        {
            IEnumerable<string> several = Directory
                .EnumerateFiles(Path.Combine(BuiltPrograms.Root, room), "*.cs", SearchOption.AllDirectories)
                .Where(file => File.ReadAllText(file).Contains("[LoggerMessage(", StringComparison.Ordinal))
                .GroupBy(file => Path.GetRelativePath(BuiltPrograms.Root, file).Split(Path.DirectorySeparatorChar)[1])
                .Where(files => files.Count() > 1)
                .Select(files => files.Key);
            Assert.Empty(several);
        }
    }

    [Fact]
    public async Task Systemd_understands_the_unit()
    {
        Assert.SkipUnless(
            OperatingSystem.IsLinux() && File.Exists("/usr/bin/systemd-analyze"),
            "systemd-analyze is not there."
        );

        // It looks for the program, which is not installed here.
        string unit = await File.ReadAllTextAsync(
            Path.Combine(Folder, "systemd", "camcube.service"),
            TestContext.Current.CancellationToken
        );
        string folder = Directory.CreateTempSubdirectory("camcube-unit-").FullName;
        try
        {
            string copy = Path.Combine(folder, "camcube.service");
            await File.WriteAllTextAsync(
                copy,
                unit.Replace("/opt/camcube/CamCube.Host", "/bin/true", StringComparison.Ordinal),
                TestContext.Current.CancellationToken
            );
            ProgramRun run = await ProgramRun.Of("systemd-analyze", "verify", "--man=no", copy);
            Assert.DoesNotContain("camcube.service", run.Output + run.Error);
            Assert.Equal(0, run.ExitCode);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    /// <summary>Files of code that belong to an assembly by its list of dependencies, without folders.</summary>
    private static IEnumerable<string> Brought(string list)
    {
        using var json = System.Text.Json.JsonDocument.Parse(File.ReadAllBytes(list));
        foreach (var target in json.RootElement.GetProperty("targets").EnumerateObject())
        {
            foreach (var library in target.Value.EnumerateObject())
            {
                if (library.Value.TryGetProperty("runtime", out var files))
                {
                    foreach (var file in files.EnumerateObject())
                    {
                        yield return Path.GetFileName(file.Name);
                    }
                }
            }
        }
    }
}
