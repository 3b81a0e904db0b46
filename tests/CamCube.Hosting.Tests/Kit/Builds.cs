using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Security.Cryptography;
using System.Text;

namespace CamCube.Hosting.Tests.Kit;

/// <summary>Builds of the test services that differ: the one that was compiled, with other bytes of the same length in
/// some places. Each has the name of its folder.</summary>
internal static class Builds
{
    /// <summary>Name of the assembly's file, which no other test loads.</summary>
    public const string Name = "Changing";

    /// <summary>A build in a folder of the host's services.</summary>
    /// <param name="folder">The host's folder.</param>
    /// <param name="name">Name of the folder.</param>
    /// <param name="greeting">What the subject says: five letters.</param>
    public static string Make(TestFolder folder, string name, string greeting = "hello")
    {
        string place = folder.ServiceFolder(name);
        Directory.CreateDirectory(place);
        string from = Path.GetDirectoryName(TestFolder.TestServices)!;
        foreach (string file in Directory.GetFiles(from))
        {
            string to = Path.GetFileName(file)
                .Replace("CamCube.TestServices.", $"{Name}.", StringComparison.Ordinal)
                .Replace($"{Name}.Contracts", "CamCube.TestServices.Contracts", StringComparison.Ordinal);
            File.Copy(file, Path.Combine(place, to), overwrite: true);
        }

        string assembly = Path.Combine(place, $"{Name}.dll");
        Patch(assembly, Encoding.Unicode.GetBytes("hello "), Encoding.Unicode.GetBytes($"{greeting} "));
        return assembly;
    }

    /// <summary>Changes bytes of a file; they must be there.</summary>
    public static void Patch(string file, byte[] from, byte[] to)
    {
        Assert.Equal(from.Length, to.Length);
        byte[] bytes = File.ReadAllBytes(file);
        int at = bytes.AsSpan().IndexOf(from);
        Assert.True(at >= 0, $"{file} has no such bytes.");
        for (; at >= 0; at = from.AsSpan().SequenceEqual(to) ? -1 : bytes.AsSpan().IndexOf(from))
        {
            to.CopyTo(bytes, at);
        }

        // Replaced whole, as a compiler does it.
        File.WriteAllBytes($"{file}.next", bytes);
        File.Move($"{file}.next", file, overwrite: true);
    }

    /// <summary>The same contract, built again.</summary>
    public static void RebuildContract(string folder)
    {
        string file = Path.Combine(folder, "CamCube.TestServices.Contracts.dll");
        byte[] build;
        using (PEReader image = new(new MemoryStream(File.ReadAllBytes(file))))
        {
            MetadataReader reader = image.GetMetadataReader();
            build = reader.GetGuid(reader.GetModuleDefinition().Mvid).ToByteArray();
        }

        Patch(file, build, [.. build.Select(b => (byte)~b)]);
    }

    /// <summary>What the status says of a file.</summary>
    public static string HashOf(string file) =>
        Convert.ToHexStringLower(SHA256.HashData(File.ReadAllBytes(file)))[..12];
}
