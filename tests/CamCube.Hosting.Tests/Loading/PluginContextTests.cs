using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.Loader;
using CamCube.Hosting.Loading;
using CamCube.Hosting.Settings;
using CamCube.Hosting.Tests.Kit;

namespace CamCube.Hosting.Tests.Loading;

/// <summary>Where a plug-in's assemblies come from.</summary>
public sealed class PluginContextTests : IDisposable
{
    private readonly TestFolder _folder = new();
    private readonly Mistakes _mistakes = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void The_contract_assembly_and_those_of_the_host_are_shared_and_the_rest_is_private()
    {
        ContractContext contracts = new();
        contracts.AddFolder(_folder.ServiceFolder("echo"), _mistakes);
        string copy = CopyOf("echo", "copy");
        contracts.AddFolder(Path.GetDirectoryName(copy)!, _mistakes);

        PluginAssembly first = PluginAssembly.TryLoad(TestFolder.TestServices, contracts, out _)!;
        PluginAssembly second = PluginAssembly.TryLoad(copy, contracts, out _)!;

        Type[] echoes = [.. new[] { first, second }.Select(p => p.Types.First(t => t.Name == "EchoService"))];
        Assert.NotSame(echoes[0], echoes[1]);
        Assert.All(
            echoes,
            echo =>
            {
                Assert.True(typeof(ICamCubeService).IsAssignableFrom(echo));
                Assert.True(AssemblyLoadContext.GetLoadContext(echo.Assembly)!.IsCollectible);
            }
        );
        Type[] contract = [.. echoes.Select(echo => echo.GetInterface("IEcho")!)];
        Assert.Same(contract[0], contract[1]);
        Assert.False(AssemblyLoadContext.GetLoadContext(contract[0].Assembly)!.IsCollectible);
        Assert.Empty(_mistakes.Lines);
    }

    [Fact]
    public void An_assembly_that_was_compiled_ahead_stays_loaded_because_its_code_is_used_in_no_other_way()
    {
        // The framework's assemblies are compiled ahead; this one is not a shared one.
        string ahead = Path.Combine(_folder.Path, "System.Xml.Linq.dll");
        File.Copy(typeof(System.Xml.Linq.XDocument).Assembly.Location, ahead);
        Assert.True(
            CompiledAhead.Is(
                Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "System.Text.Json.dll")
            )
        );
        Assert.False(CompiledAhead.Is(TestFolder.TestServices));
        Assert.False(CompiledAhead.Is(Path.ChangeExtension(TestFolder.TestServices, ".deps.json")));
        Assert.False(CompiledAhead.Is(Path.Combine(_folder.Path, "missing.dll")));

        PluginAssembly plugin = PluginAssembly.TryLoad(ahead, new ContractContext(), out _)!;
        PluginAssembly service = PluginAssembly.TryLoad(TestFolder.TestServices, new ContractContext(), out _)!;

        Assert.Null(plugin.Unload());
        Assert.NotNull(service.Unload());
    }

    [Fact]
    public void Copies_of_shared_assemblies_in_a_plug_ins_folder_are_not_used()
    {
        string copy = CopyOf("echo", "with-copies");
        string folder = Path.GetDirectoryName(copy)!;
        File.Delete(Path.ChangeExtension(copy, ".deps.json"));
        foreach (string shared in (string[])["CamCube.Abstractions.dll"])
        {
            File.Copy(Path.Combine(AppContext.BaseDirectory, shared), Path.Combine(folder, shared));
        }

        PluginAssembly plugin = PluginAssembly.TryLoad(copy, new ContractContext(), out _)!;

        Assert.True(typeof(ICamCubeService).IsAssignableFrom(plugin.Types.First(t => t.Name == "EchoService")));
    }

    [Fact]
    public void Two_versions_of_a_contract_are_named()
    {
        ContractContext contracts = new();
        string one = EmitContract("one", new Version(1, 0, 0, 0)),
            two = EmitContract("two", new Version(2, 0, 0, 0));

        contracts.AddFolder(Path.GetDirectoryName(one)!, _mistakes);
        contracts.AddFolder(Path.GetDirectoryName(two)!, _mistakes);

        Assert.Equal(
            [
                $"{two}: Some.Contracts 2.0.0.0, but {one} is 1.0.0.0; a contract is loaded once, "
                    + $"so all services need the same version.",
            ],
            _mistakes.Lines
        );
    }

    [Theory]
    [InlineData("CamCube.Abstractions", true)]
    [InlineData("CamCube.Topology", true)]
    [InlineData("CamCube.Messaging", true)]
    [InlineData("CamCube.Linux", true)]
    [InlineData("CamCube.Trees", true)]
    [InlineData("CamCube.FrontEnds", true)]
    [InlineData("System.Text.Json", true)]
    [InlineData("System.Private.CoreLib", true)]
    [InlineData("Microsoft.Extensions.Logging.Abstractions", true)]
    [InlineData("Microsoft.AspNetCore.Server.Kestrel.Core", true)]
    [InlineData("CamCube.Runtime", false)]
    [InlineData("CamCube.TestServices", false)]
    [InlineData("Newtonsoft.Json", false)]
    public void The_host_shares_its_contract_and_the_framework(string name, bool shared) =>
        Assert.Equal(shared, SharedAssemblies.IsShared(name));

    private string CopyOf(string service, string name)
    {
        string folder = _folder.ServiceFolder(name);
        Directory.CreateDirectory(folder);
        foreach (string file in Directory.EnumerateFiles(_folder.ServiceFolder(service)))
        {
            File.Copy(file, Path.Combine(folder, Path.GetFileName(file)));
        }

        return Path.Combine(folder, "CamCube.TestServices.dll");
    }

    private string EmitContract(string folder, Version version)
    {
        string path = Path.Combine(_folder.ServiceFolder(folder), "Some.Contracts.dll");
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        PersistedAssemblyBuilder assembly = new(
            new AssemblyName("Some.Contracts") { Version = version },
            typeof(object).Assembly
        );
        assembly
            .DefineDynamicModule("Some.Contracts")
            .DefineType("IAny", TypeAttributes.Public | TypeAttributes.Interface | TypeAttributes.Abstract)
            .CreateType();
        assembly.Save(path);
        return path;
    }
}
