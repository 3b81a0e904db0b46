using System.ComponentModel.DataAnnotations;

namespace CamCube.Hosting.Settings;

/// <summary>What the host itself reads of <c>CamCube:Services:{name}</c>; the rest belongs to the service's own options
/// class.</summary>
internal sealed class ServiceEntryOptions
{
    /// <summary>Whether it is loaded. Default true.</summary>
    public bool Enabled { get; set; } = true;

    /// <summary>Another entry without which it is not loaded, as a service that is a part of another's. Default:
    /// none.</summary>
    public string? With { get; set; }

    /// <summary>Its assembly, or the folder it lies in, relative to the folder <c>services</c> beside the host.
    /// Default: the folder of its name. The code runs with all rights of the host.</summary>
    public string? Assembly { get; set; }

    /// <summary>Its default queue.</summary>
    [Required]
    public QueueOptions Queue { get; set; } = new();
}
